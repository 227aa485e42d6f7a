import { useQuery } from '@tanstack/react-query'
import { requestFile } from '../../api/request.ts'
import { toBase64 } from '../../components/attachments/attached-file.ts'
import { useSettings } from '../../components/shop/settings.tsx'
import classes from './settings.module.css'

/** The stored logo in the size of the printed one. Requests carry a session token, so the picture is no address of its own. */
export function LogoPreview() {
  const { logo } = useSettings()
  const { data } = useQuery({
    queryKey: ['GET /settings/logo/file', logo?.id],
    queryFn: async () =>
      `data:image/png;base64,${await toBase64(await requestFile('/settings/logo/file', 'image/png'))}`,
    enabled: logo !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!logo || !data) return null
  return <img className={classes.logo} src={data} alt="Your logo" width={logo.width} height={logo.height} />
}
