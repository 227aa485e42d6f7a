import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type AnchorPropsWith<P> = P & Omit<ComponentProps<'a'>, keyof P>

/** A link that looks like a button. */
export const LinkButton = createLink((props: AnchorPropsWith<ButtonProps>) => (
  <Button component="a" {...props} />
))

/** A link within text. */
export const TextLink = createLink((props: AnchorPropsWith<AnchorProps>) => (
  <Anchor underline="always" {...props} />
))
