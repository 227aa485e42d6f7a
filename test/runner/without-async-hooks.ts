import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

// `tap` watches each promise, to name the test of an error for which no test waits. That takes an eighth of the tests' processor
// time. Without it such an error ends the process, and the runner prints it.
const noHook = { enable: () => noHook, disable: () => noHook }
asyncHooks.createHook = () => noHook
syncBuiltinESMExports()
