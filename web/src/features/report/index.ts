import { lazy } from 'react';

/** Loaded when somebody reports. */
export const ReportDialog = lazy(async () => ({ default: (await import('./ReportDialog.js')).ReportDialog }));
