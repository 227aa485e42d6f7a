import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Own<P> = P & Omit<ComponentProps<'a'>, keyof P>

/** A link to a page that looks like a button. */
export const LinkButton = createLink((props: Own<ButtonProps>) => <Button component="a" {...props} />)

/** A link to a page, within words. */
export const TextLink = createLink((props: Own<AnchorProps>) => <Anchor underline="always" {...props} />)
