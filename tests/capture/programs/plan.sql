CREATE TABLE a (b INT) WITH ('connector' = 'datagen');
CREATE TABLE c (b INT) WITH ('connector' = 'blackhole');
COMPILE AND EXECUTE PLAN '{plan}' FOR INSERT INTO c SELECT b FROM a;
