/** Pauses all audio on the page except one element, so that only one voice plays at a time. */
export function pauseSounds(except?: HTMLAudioElement): void {
  for (const sound of document.querySelectorAll('audio')) if (sound !== except) sound.pause();
}
