import { prepare } from '../prepare.js';

export default () => prepare({ startsSystem: false, needsBrowsers: false });
