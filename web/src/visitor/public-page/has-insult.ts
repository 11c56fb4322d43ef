import { listMatcher, prepareText } from '@najwa/proto/words';

/** Checked on the device. */
export const hasInsult = (text: string): boolean => listMatcher('insults').find(prepareText(text)) !== undefined;
