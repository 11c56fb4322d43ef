import { jsonBody } from '@najwa/common';
import { Router } from 'express';
import type { AuthContext } from '../context.js';
import { getAuthStatusRoute } from './get-auth-status.js';
import { getCurrentUserRoute } from './get-current-user.js';
import { getPublicUserRoute } from './get-public-user.js';
import { loginRoute } from './login.js';
import { logoutRoute } from './logout.js';
import { registerRoute } from './register.js';

export function routes(context: AuthContext): Router {
  return Router()
    .get('/api/user', getCurrentUserRoute(context))
    .get('/api/auth-status', getAuthStatusRoute)
    .get('/api/users/:username', getPublicUserRoute(context))
    .post('/api/register', jsonBody(), registerRoute(context))
    .post('/api/login', jsonBody(), loginRoute(context))
    .post('/api/logout', logoutRoute(context));
}
