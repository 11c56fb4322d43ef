export { useLoginMutation, useRegisterMutation, useUpdateUserMutation } from './api.js';
export { RequireUser } from './session.js';
export type { Credentials, ProfileChange, Registration, User } from './types.js';
export { useCurrentUser } from './session.js';
export { useLoggedOut, useLogout } from './session.js';
