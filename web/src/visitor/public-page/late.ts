/* One module: each dynamic import is a file of its own, and Jest cannot load two at once that share a module that has not
   loaded. */
export { AskedQuestion } from './AskedQuestion.js';
export { BioCard } from './BioCard.js';
export { FormFoot } from './FormFoot.js';
export { PremiumProfile, ProfileCard } from './ProfileCard.js';
export { PublicMessages } from './PublicMessages.js';
export { FollowedPage, QueriedPage } from './QueriedPage.js';
export { WhoSees } from './WhoSees.js';
