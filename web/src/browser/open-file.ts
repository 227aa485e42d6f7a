import { download } from './download.ts'

/** Opens a file in a new tab, or downloads it when the browser blocks the tab. */
export function openFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  // the tab may read the URL again, for example to save the file
  setTimeout(() => URL.revokeObjectURL(url), 600_000)
  if (!window.open(url, '_blank')) download(url, name)
}
