import { followSignals } from './clock.js';

followSignals();
