export {
  useBeginTotpMutation,
  useConfirmTotpMutation,
  useCreateRecoveryCodesMutation,
  useDeletePasskeyMutation,
  useGetPasskeysQuery,
  useGetRecoveryCodesQuery,
  useGetTotpQuery,
  useRemoveTotpMutation,
  type Passkey,
} from './api.js';
export { codesFile, makeFirstCodes } from './codes-file.js';
export { PasswordDialog } from './PasswordDialog.js';
export { RecoveryCodes } from './RecoveryCodes.js';
export { WrittenRecoveryCodes } from './WrittenRecoveryCodes.js';
export { ResetPage } from './ResetPage.js';
export { signInWithPasskey, useAddPasskey } from './use-passkeys.js';
