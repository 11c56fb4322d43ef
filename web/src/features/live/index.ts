export { forgetArrived, forgetChanged, noteArrived, useLive, useLiveWayBack } from './api.js';
