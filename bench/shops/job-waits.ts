import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../shared/db/db.ts'

const JobWaits = Type.Object({
  task: Type.String(),
  jobs: Type.Integer(),
  failed: Type.Integer(),
  median: Type.Number(),
  p99: Type.Number(),
  max: Type.Number(),
  /** How long an attempt takes, in milliseconds. */
  meanMs: Type.Number(),
})
/** Seconds from the time at which a job is due to the start of its first attempt. */
export type JobWaits = Static<typeof JobWaits>

/** The queue deletes jobs that are done, so a trigger of the benchmark keeps when each was due. */
export async function recordDueTimes(db: Db): Promise<void> {
  for (const statement of [
    sql.fragment`create table bench_job (id bigint primary key, due_at timestamptz not null)`,
    sql.fragment`
      create function bench_keep_due() returns trigger language plpgsql as $$
      begin
        insert into bench_job (id, due_at) values (new.id, greatest(new.run_at, now()))
        on conflict (id) do nothing;
        return null;
      end $$
    `,
    sql.fragment`
      create trigger bench_keep_due after insert on graphile_worker._private_jobs
      for each row execute function bench_keep_due()
    `,
  ]) {
    await db.query(sql.typeAlias('void')`${statement}`)
  }
}

/** Of the jobs that were due since `from`, by kind; the kind that waits longest first. */
export const readJobWaits = (db: Db, from: Date): Promise<readonly JobWaits[]> =>
  db.any(sql.type(row(JobWaits))`
    select r.task, count(*)::int as jobs, count(*) filter (where r.state = 'failed')::int as failed,
      percentile_cont(0.5) within group (order by r.wait) as median,
      percentile_cont(0.99) within group (order by r.wait) as p99, max(r.wait) as max, avg(r.ms)::float8 as mean_ms
    from (
      select r.task, r.state, r.ms,
        greatest(0, extract(epoch from r.started_at - b.due_at))::float8 as wait
      from job_run r
      join bench_job b on b.id = r.job_id
      where r.attempt = 1 and b.due_at >= ${from.toISOString()}::timestamptz
    ) r
    group by r.task
    order by max(r.wait) desc, r.task
  `)

const Left = Type.Object({ task: Type.String(), jobs: Type.Integer(), error: Type.String() })

/** Jobs that are due and were not tried yet, or run, by kind; retries wait for their own times. */
export const readWaiting = (db: Db): Promise<readonly Static<typeof Left>[]> =>
  db.any(sql.type(row(Left))`
    select task_identifier as task, count(*)::int as jobs, coalesce(max(last_error), '') as error
    from graphile_worker.jobs
    where run_at < now() and (attempts = 0 or locked_at is not null)
    group by 1
    order by 1
  `)
