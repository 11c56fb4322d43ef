export { cleanText, countCharacters, type TextBounds, type TextFault } from '@najwa/proto/http/client';
