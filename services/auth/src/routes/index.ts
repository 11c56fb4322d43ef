import { Router } from 'express';
import type { AuthContext } from '../context.js';
import { accountRoutes } from './accounts.js';
import { sessionRoutes } from './sessions.js';
import { userRoutes } from './users.js';

export const routes = (context: AuthContext): Router =>
  Router().use(accountRoutes(context), userRoutes(context), sessionRoutes(context));
