/** All z-index layers. Inside a component, 0 to 2 are free. */
export const depths = {
  header: 30,
  menu: 40,
  assistant: 45,
  dialog: 50,
  chat: 60,
  toast: 70,
} as const;
