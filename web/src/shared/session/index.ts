export { applySession, useGetUserQuery, useLoginMutation, useRegisterMutation, useUpdateUserMutation } from './api.js';
export { RequireUser } from './RequireUser.js';
export type { Credentials, NewAccount, ProfileChange, Registration, User } from './types.js';
export { useCurrentUser } from './session.js';
export { useLoggedOut, useLogout } from './session.js';
export { useKept, useKeptState } from './use-kept.js';
