import type { ErrorCode } from '@najwa/proto/http/client';
import type { common } from './common.js';

/** Codes that visitors of a public page do not meet. */
export const ownErrors = {
  username_taken: 'Username already exists',
  username_reserved: 'This name is reserved. Choose another one.',
  wrong_credentials: 'Wrong username or password.',
  wrong_recovery_code: 'The username or the recovery code is not right.',
  wrong_code: 'That code is not right.',
  totp_required: 'Type the code from your authenticator app.',
  passkey_refused: 'This passkey does not sign in here.',
  session_not_found: 'Your session has ended. Sign in again.',
  method_not_allowed: 'This action is not available.',
  range_not_satisfiable: 'This part of the file does not exist.',
  wrong_password: 'The current password is wrong.',
  totp_is_on: 'The second step is on already.',
  totp_setup_required: 'Turn on the second step at sign-in first, in the settings.',
  passkeys_full: 'You have twenty passkeys. Remove one to add another.',
  block_not_found: 'This block no longer exists.',
  sender_unknown: 'No account sent this message.',
  too_many_blocks: 'Your list of blocks is full.',
  prompts_full: 'You have ten questions. Remove one to add.',
  not_public: 'Publish it first.',
  already_decided: 'Another moderator was first. The page is up to date now.',
  last_administrator: 'Somebody else has to become an administrator first.',
  export_running: 'A file is being gathered.',
  changed_elsewhere: 'This was changed elsewhere. Look at it, then try again.',
  undo_expired: 'Too late to undo. The deletion is final.',
  own_action: 'Another administrator has to undo it.',
  report_not_found: 'This report no longer exists.',
  picture_undrawable: 'A picture cannot show all letters of this text.',
} satisfies Record<Exclude<ErrorCode, keyof typeof common.error>, string>;
