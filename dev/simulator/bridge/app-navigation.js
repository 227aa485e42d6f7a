// The second part of app-bridge.js: the element `s-app-nav`, whose links the shop admin draws in its own navigation. The
// link with rel="home" is not drawn, since the app's name leads there. A chosen link gets the event `platform:navigate`;
// when the app does not prevent its default, the frame loads the page.
{
  const admin = new URL(document.currentScript.src).origin

  class AppNavigation extends HTMLElement {
    #observer = new MutationObserver(() => this.#declare())

    #declare() {
      const links = this.querySelectorAll('s-link:not([rel="home"])')
      const items = [...links].map((link) => ({
        href: link.getAttribute('href'),
        name: link.textContent.trim(),
      }))
      parent.postMessage({ kind: 'navigation', items }, admin)
    }

    connectedCallback() {
      this.style.display = 'none'
      this.#observer.observe(this, { childList: true, subtree: true, attributes: true, characterData: true })
      this.#declare()
    }

    disconnectedCallback() {
      this.#observer.disconnect()
      parent.postMessage({ kind: 'navigation', items: [] }, admin)
    }
  }

  customElements.define('s-app-nav', AppNavigation)

  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== admin || source !== parent || data?.kind !== 'navigate') return
    const links = [...document.querySelectorAll('s-app-nav s-link')]
    const link = links.find((it) => it.getAttribute('href') === data.href)
    const event = new CustomEvent('platform:navigate', { bubbles: true, cancelable: true })
    if (link?.dispatchEvent(event) === false) return
    location.assign(data.href + location.search)
  })
}
