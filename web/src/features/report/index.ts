import { lazyPart } from '../../lib/on-demand.js';

/** Loaded on first use. */
export const ReportDialog = lazyPart(async () => (await import('./ReportDialog.js')).ReportDialog);
