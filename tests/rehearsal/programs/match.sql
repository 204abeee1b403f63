CREATE TABLE clicks (u INT, n INT, `at` AS PROCTIME()) WITH (
  'connector' = 'datagen', 'rows-per-second' = '20',
  'fields.u.min' = '0', 'fields.u.max' = '4', 'fields.n.min' = '1', 'fields.n.max' = '9');
CREATE TABLE runs (u INT, first_n INT, last_n INT) WITH ('connector' = 'blackhole');
INSERT INTO runs SELECT u, first_n, last_n FROM clicks MATCH_RECOGNIZE (
  PARTITION BY u ORDER BY `at` MEASURES A.n AS first_n, C.n AS last_n
  ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A B+ C) DEFINE B AS B.n > 0, C AS C.n < 0);
