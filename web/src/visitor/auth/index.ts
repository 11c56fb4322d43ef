export { AuthPage } from './AuthPage.js';
export { type SignInData, SignInDataContext } from './sign-in-data.js';
