/**
 * Returns a function that calls `compile` at its first call, and uses the result at each call. Compiling the schemas of more
 * than 200 routes would take half of the time that web needs to start.
 */
export function atFirstUse<Input, Output>(compile: () => (input: Input) => Output): (input: Input) => Output {
  let compiled: ReturnType<typeof compile> | undefined
  return (input) => {
    compiled ??= compile()
    return compiled(input)
  }
}
