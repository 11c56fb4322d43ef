import { prepare } from '../prepare.js';

export default () => prepare({ startsSystem: true, needsBrowsers: false });
