/** The key that begins a combination, as the keyboard of this device names it. */
export const commandKey = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl'
