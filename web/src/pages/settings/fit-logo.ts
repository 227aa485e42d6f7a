/** The limits of the API (`shared/schemas/settings.ts`). */
const maxBytes = 1024 * 1024
const maxSide = 2_000
/** More than a document prints. */
const drawnSide = 1_200

/**
 * Draws a picture smaller that has more bytes or pixels than the API accepts. A file that the browser cannot read stays as it is,
 * and the API says why it is refused.
 */
export async function fitLogo(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return file
  const { width, height } = picture
  if (file.size <= maxBytes && width <= maxSide && height <= maxSide) return file
  const scale = Math.min(1, drawnSide / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const drawn = (type: string) => new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9))
  const png = await drawn('image/png')
  return png && png.size <= maxBytes ? png : ((await drawn('image/jpeg')) ?? file)
}
