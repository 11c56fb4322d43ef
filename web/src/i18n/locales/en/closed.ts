export const closed = {
  paused: 'This page is not taking messages now',
  pausedText: 'What was written before is safe with its owner, and what was published is below.',
  accounts: 'Sign in to write to {{name}}',
  accountsText:
    'This page takes messages from people with an account. Its owner does not see yours: your message arrives without your name, as always.',
  signIn: 'Sign in',
  signUp: 'Create an account',
  tooNew: 'Your account is new for this page',
  tooNewText_one: 'This page takes messages from accounts at least one day old. You can write from {{date}}.',
  tooNewText_other:
    'This page takes messages from accounts at least {{count, digits}} days old. You can write from {{date}}.',
  keep: 'Keep my text on this device',
  kept: 'Your text is kept on this device.',
  forget: 'Forget it',
  word: 'A word from {{name}}',
  question: 'Would you say it like this to their face?',
  reword: 'Reword',
  questionText: 'Words arrive as they are. The text has not left your device.',
  check: 'One moment, your device solves a small puzzle',
  checkText: 'Many messages are reaching this page; this keeps it open for everyone. Nothing about you is sent.',
};
