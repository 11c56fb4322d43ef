/** The steps that threads run. Piscina takes the path of a file. */
export { convert, levelOut, measure, prepare } from '@najwa/proto/voice';
