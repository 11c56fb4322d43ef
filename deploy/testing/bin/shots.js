// The browser suites save screenshots, see takeShots in web/e2e/browser.ts.
process.env.SCREENSHOTS = '1';
process.argv.splice(2, Infinity, ...process.argv.slice(2), '--selectProjects', 'browser');
await import('./test.js');
