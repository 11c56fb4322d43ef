import { lazyPart } from '../../lib/on-demand.js';

export const ReportDialog = lazyPart(async () => (await import('./ReportDialog.js')).ReportDialog);
