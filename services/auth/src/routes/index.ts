import { jsonBody } from '@najwa/common';
import { Router } from 'express';
import type { AuthContext } from '../context.js';
import { changePasswordRoute } from './change-password.js';
import { endOtherSessionsRoute } from './end-other-sessions.js';
import { endSessionRoute } from './end-session.js';
import { getAuthStatusRoute } from './get-auth-status.js';
import { getCurrentUserRoute } from './get-current-user.js';
import { getPublicUserRoute } from './get-public-user.js';
import { getUserByIdRoute } from './get-user-by-id.js';
import { listSessionsRoute } from './list-sessions.js';
import { loginRoute } from './login.js';
import { logoutRoute } from './logout.js';
import { registerRoute } from './register.js';
import { UPDATE_USER_BODY_BYTES, updateUserRoute } from './update-user.js';

export function routes(context: AuthContext): Router {
  return Router()
    .get('/api/user', getCurrentUserRoute(context))
    .get('/api/auth-status', getAuthStatusRoute)
    .get('/api/users/by-id/:id', getUserByIdRoute(context))
    .get('/api/users/:username', getPublicUserRoute(context))
    .patch('/api/users', jsonBody(UPDATE_USER_BODY_BYTES), updateUserRoute(context))
    .put('/api/users/password', jsonBody(), changePasswordRoute(context))
    .get('/api/sessions', listSessionsRoute(context))
    .delete('/api/sessions', endOtherSessionsRoute(context))
    .delete('/api/sessions/:id', endSessionRoute(context))
    .post('/api/register', jsonBody(), registerRoute(context))
    .post('/api/login', jsonBody(), loginRoute(context))
    .post('/api/logout', logoutRoute(context));
}
