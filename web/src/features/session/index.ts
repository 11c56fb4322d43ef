export { useLoginMutation, useRegisterMutation, useUpdateUserMutation } from './api.js';
export { RequireUser } from './RequireUser.js';
export type { Credentials, ProfileChange, Registration, User } from './types.js';
export { useCurrentUser } from './use-current-user.js';
export { useLoggedOut, useLogout } from './use-logout.js';
