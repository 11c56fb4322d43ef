import { lazyPart } from '../../lib/on-demand.js';

/** Loaded when somebody reports. */
export const ReportDialog = lazyPart(async () => (await import('./ReportDialog.js')).ReportDialog);
