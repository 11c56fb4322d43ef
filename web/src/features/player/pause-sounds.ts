/** Pauses what is playing on the page, except for one: people listen to one voice at a time. */
export function pauseSounds(except?: HTMLAudioElement): void {
  for (const sound of document.querySelectorAll('audio')) if (sound !== except) sound.pause();
}
