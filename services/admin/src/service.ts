import { createBackendService, type BackendService } from '@najwa/common';
import { Router } from 'express';
import type { AdminConfig } from './config.js';
import { createContext, type AdminContext } from './context.js';

/** The administrators' calls. It answers only its health until they are built. */
export async function create(config: AdminConfig, overrides: Partial<AdminContext> = {}): Promise<BackendService> {
  const context = await createContext(config, overrides);
  return createBackendService({ ...context, host: config.host, port: config.port, routes: Router(), dispose: [] });
}
