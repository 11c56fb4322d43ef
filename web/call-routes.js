import { readFile } from 'node:fs/promises';

const TABLE = '/proto/src/http/routes.ts';
const ROUTE = /(\w+): \{\s*service: '[a-z]+',\s*method: '([A-Z]+)',\s*path: '([^']+)'/g;

/** Inlines method and path into each call, so that visitors do not load the table of all operations. */
export function callRoutes() {
  /** @type {Map<string, string>} */
  const routes = new Map();
  return {
    name: 'call-routes',
    apply: /** @type {const} */ ('build'),
    enforce: /** @type {const} */ ('pre'),
    async buildStart() {
      const table = await readFile(new URL(`..${TABLE}`, import.meta.url), 'utf8');
      for (const [, id, method, path] of table.matchAll(ROUTE)) routes.set(id, JSON.stringify({ method, path }));
    },
    transform(/** @type {string} */ code, /** @type {string} */ id) {
      if (id.endsWith('/proto/src/http/request.ts')) return { code: code.replace('ROUTES[id]', 'id'), map: null };
      if (!/\/web\/src\/.*\.tsx?$/.test(id) || !code.includes('buildRequest(')) return undefined;
      const withRoutes = code.replace(/\bbuildRequest\((?:'(\w+)')?/g, (_call, name) => {
        const route = routes.get(name);
        if (route === undefined) throw new Error(`${id} calls an operation that the contract does not name there.`);
        return `buildRequest(${route}`;
      });
      return { code: withRoutes, map: null };
    },
  };
}
