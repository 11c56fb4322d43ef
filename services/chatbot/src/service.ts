import { createBackendService, type BackendService } from '@najwa/common';
import { Router } from 'express';
import type { ChatbotConfig } from './config.js';
import { createContext, type ChatbotContext } from './context.js';

/** The assistant. It answers only its health until the assistant's calls are built. */
export async function create(config: ChatbotConfig, overrides: Partial<ChatbotContext> = {}): Promise<BackendService> {
  const context = await createContext(config, overrides);
  return createBackendService({ ...context, host: config.host, port: config.port, routes: Router(), dispose: [] });
}
