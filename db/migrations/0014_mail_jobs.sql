-- Which job a mail waits for. When that is gone, or has used its attempts, nothing sends the mail by itself any more.

alter table outgoing_mail
  add column queue_job_id bigint,
  -- how often the mail service was asked to take it
  add column request_count int not null default 0;

update outgoing_mail set settled_at = created_at where state = 'no_recipient';
