import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const accent: MantineColorsTuple = [
  '#eef3fc',
  '#dbe5f7',
  '#b4c8ee',
  '#8aa9e4',
  '#678fdc',
  '#507fd7',
  '#4476d5',
  '#1f56b3',
  '#184a9d',
  '#0f3d86',
]

/** Looks like a shop admin: greys, white cards, one accent. */
export const theme = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: 7,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", sans-serif',
  fontSizes: { sm: '0.875rem', md: '0.9375rem' },
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.9375rem' } },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // descriptions go below the input, so that fields side by side align
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    // Mantine's red example would look like the wrong value
    Input: { styles: { wrapper: { '--input-placeholder-color': 'var(--mantine-color-placeholder)' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close this message' } } },
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, centered: true },
      styles: { title: { fontWeight: 650 } },
    },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
})

/** Mantine's own grey and red text has a contrast below 4.5:1 on white. */
export const colors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6168',
    '--mantine-color-placeholder': '#6a7077',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-text': '#1c2024',
  },
  dark: {},
})
