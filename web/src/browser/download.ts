export function download(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

export function downloadFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  download(url, name)
  URL.revokeObjectURL(url)
}
