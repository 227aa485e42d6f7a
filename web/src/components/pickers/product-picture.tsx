import { IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './product-picture.module.css'

/** A small picture of a product; a neutral tile without one, and where it cannot be loaded. It only decorates its title. */
export function ProductPicture({ url }: { url: string | null }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  return (
    <span className={classes.tile} aria-hidden>
      {url !== null && url !== failedUrl ? (
        <img
          src={url}
          alt=""
          width={40}
          height={40}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setFailedUrl(url)}
        />
      ) : (
        <IconPhoto size={18} stroke={1.5} />
      )}
    </span>
  )
}
