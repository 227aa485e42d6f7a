/** The limit of the API (`shared/schemas/attachments.ts`). */
export const maxBytes = 2 * 1024 * 1024
export const maxFiles = 20
/** Phones then send a photo as JPEG instead of HEIC. */
export const acceptedTypes = 'image/png,image/jpeg,image/webp,image/gif,application/pdf'

const sides = [2560, 1920, 1280, 800]

/** A photo of a phone is larger than the API accepts: draws it smaller until it fits. Other files stay as they are. */
export async function fitFile(file: File): Promise<{ name: string; blob: Blob }> {
  if (file.size <= maxBytes || !/^image\/(png|jpeg|webp)$/.test(file.type))
    return { name: file.name, blob: file }
  const picture = await createImageBitmap(file)
  for (const side of sides) {
    const blob = await drawn(picture, side)
    if (blob && blob.size <= maxBytes) return { name: `${file.name.replace(/\.\w+$/, '')}.jpg`, blob }
  }
  return { name: file.name, blob: file }
}

function drawn(picture: ImageBitmap, side: number): Promise<Blob | null> {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8))
}

export function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}

/** 1.4 MB, 12 kB. */
export const sizeOf = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
