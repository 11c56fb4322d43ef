export { forgetArrived, useLive, useLiveWayBack } from './api.js';
