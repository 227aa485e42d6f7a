/** Every fifth product has no picture. */
export const pictureAddress = (origin: string, product: number): string | null =>
  product % 5 === 4 ? null : `${origin}/pictures/${product}.svg?v=1`

/** A drawn picture of a product: a vase in its own colour. */
export function drawPicture(product: number): string {
  const hue = (product * 47) % 360
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120" width="120" height="120">
<rect width="120" height="120" fill="hsl(${hue} 40% 92%)"/>
<path d="M48 22h24v14c14 10 20 24 20 38 0 18-12 28-32 28s-32-10-32-28c0-14 6-28 20-38z" fill="hsl(${hue} 45% 45%)"/>
</svg>`
}
