import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import classes from './row-table.module.css'

/** The link of a row: the whole row takes the click, and the keyboard finds it once. */
export const RowLink = createLink((props: ComponentProps<'a'>) => <a {...props} className={classes.link} />)
