/** Keeps what is at an address as a file. */
export function download(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/** Keeps what we have made as a file. */
export function downloadFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  download(address, name)
  URL.revokeObjectURL(address)
}
