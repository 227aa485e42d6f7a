function download(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** Opens a file in a new tab, or downloads it when the browser blocks the tab. */
export function openFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  // the tab may read the URL again, for example to save the file
  setTimeout(() => URL.revokeObjectURL(url), 600_000)
  if (!window.open(url, '_blank')) download(url, name)
}

export function downloadFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  download(url, name)
  URL.revokeObjectURL(url)
}
