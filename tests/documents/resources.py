"""Resources of the Flink Kubernetes operator, with the fields of its own examples."""

from typing import Any, Final

import yaml

JAR: Final = "local:///opt/flink/usrlib/job.jar"
_POD: Final[dict[str, Any]] = {
    "spec": {
        "containers": [
            {
                "name": "flink-main-container",
                "volumeMounts": [{"mountPath": "/flink-data", "name": "flink-volume"}],
            }
        ],
        "volumes": [{"name": "flink-volume", "hostPath": {"path": "/tmp/flink"}}],  # noqa: S108
    }
}
_STATE: Final = {
    "state.savepoints.dir": "file:///flink-data/savepoints",
    "state.checkpoints.dir": "file:///flink-data/checkpoints",
}
_AVAILABLE: Final = {
    **_STATE,
    "high-availability.type": "kubernetes",
    "high-availability.storageDir": "file:///flink-data/ha",
}


def deployment(name: str = "basic", **spec: Any) -> dict[str, Any]:
    """A FlinkDeployment; ``spec`` wins field by field, None removes a field."""
    size = {"resource": {"memory": "2048m", "cpu": 1}}
    whole = {
        "image": "flink:1.20",
        "flinkVersion": "v1_20",
        "flinkConfiguration": {"taskmanager.numberOfTaskSlots": "2"},
        "serviceAccount": "flink",
        "jobManager": size,
        "taskManager": size,
        "job": {"jarURI": JAR, "parallelism": 2, "upgradeMode": "stateless"},
        **spec,
    }
    return {
        "apiVersion": "flink.apache.org/v1beta1",
        "kind": "FlinkDeployment",
        "metadata": {"name": name},
        "spec": {field: value for field, value in whole.items() if value is not None},
    }


def session_job(name: str = "in-session", cluster: str = "session", **job: Any) -> dict[str, Any]:
    """A FlinkSessionJob."""
    return {
        "apiVersion": "flink.apache.org/v1beta1",
        "kind": "FlinkSessionJob",
        "metadata": {"name": name},
        "spec": {
            "deploymentName": cluster,
            "job": {"jarURI": JAR, "parallelism": 4, "upgradeMode": "stateless", **job},
        },
    }


def stream(*resources: dict[str, Any]) -> str:
    """The text that ``kustomize build`` writes for them."""
    return yaml.safe_dump_all(resources)


OTHER: Final = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {}}
SNAPSHOT: Final = {
    "apiVersion": "flink.apache.org/v1beta1",
    "kind": "FlinkStateSnapshot",
    "metadata": {"name": "example-savepoint"},
    "spec": {"savepoint": {"alreadyExists": True, "path": "file:///flink-data/savepoint-1"}},
}
_ARGS: Final = ["-pyclientexec", "/usr/local/bin/python3", "-py", "/opt/flink/usrlib/job.py"]
EXAMPLES: Final[dict[str, str]] = {
    "basic": stream(deployment()),
    "basic-checkpoint-ha": stream(
        deployment(
            flinkConfiguration=_AVAILABLE,
            podTemplate=_POD,
            job={"jarURI": JAR, "parallelism": 2, "upgradeMode": "savepoint", "state": "running"},
        )
    ),
    "basic-reactive": stream(
        deployment(
            flinkConfiguration={
                "scheduler-mode": "REACTIVE",
                "taskmanager.numberOfTaskSlots": "2",
                **_STATE,
                "high-availability": "org.example.KubernetesHaServicesFactory",
            },
            mode="standalone",
            job={
                "jarURI": JAR,
                "parallelism": 2,
                "upgradeMode": "savepoint",
                "savepointTriggerNonce": 0,
            },
        )
    ),
    "ingress": stream(
        OTHER,
        deployment(
            ingress={
                "template": "flink.k8s.io/{{namespace}}/{{name}}(/|$)(.*)",
                "className": "nginx",
                "annotations": {"nginx.ingress.kubernetes.io/rewrite-target": "/$2"},
            }
        ),
    ),
    "custom-logging": stream(
        deployment(logConfiguration={"log4j-console.properties": "rootLogger.level = DEBUG\n"})
    ),
    "pod-template": stream(
        deployment(
            podTemplate={"apiVersion": "v1", "kind": "Pod", **_POD},
            taskManager={
                "resource": {"memory": "2048m", "cpu": 1, "ephemeralStorage": "2G"},
                "podTemplate": _POD,
            },
        )
    ),
    "session-job": stream(
        deployment("session", job=None), session_job("only", entryClass="org.example.Job")
    ),
    "session-job-only": stream(session_job()),
    "sql-runner": stream(
        deployment(
            flinkVersion="v2_2",
            image="sql-runner:latest",
            flinkConfiguration={"taskmanager.numberOfTaskSlots": 1},
            jobManager={"resources": {"requests": {"memory": "2048m", "cpu": "1"}}},
            taskManager={"resources": {"requests": {"memory": "2Gi", "cpu": "500m"}}},
            job={
                "jarURI": JAR,
                "args": ["/opt/flink/usrlib/sql-scripts/simple.sql"],
                "parallelism": 1,
                "upgradeMode": "stateless",
            },
        )
    ),
    "python": stream(
        deployment(
            job={
                "jarURI": "local:///opt/flink/opt/flink-python-1.20.0.jar",
                "entryClass": "org.apache.flink.client.python.PythonDriver",
                "args": _ARGS,
                "parallelism": 1,
            }
        )
    ),
    "autoscaling": stream(
        deployment(
            flinkConfiguration={
                "job": {
                    "autoscaler": {
                        "enabled": True,
                        "metrics.window": "3m",
                        "target.utilization.boundary": "0.1",
                    }
                },
                "pipeline.max-parallelism": 24,
                "taskmanager.numberOfTaskSlots": 4,
                "jobmanager.scheduler": "adaptive",
                **_AVAILABLE,
            },
            podTemplate=_POD,
            job={"jarURI": JAR, "parallelism": 1, "upgradeMode": "last-state", "args": ["10"]},
        )
    ),
    "from-savepoint": stream(
        SNAPSHOT,
        deployment(
            flinkConfiguration=_STATE,
            job={
                "jarURI": JAR,
                "parallelism": 2,
                "upgradeMode": "savepoint",
                "initialSavepointPath": "file:///flink-data/savepoint-1",
                "savepointRedeployNonce": 1,
                "allowNonRestoredState": True,
            },
        ),
    ),
    "blue-green": stream(
        {
            "apiVersion": "flink.apache.org/v1beta1",
            "kind": "FlinkBlueGreenDeployment",
            "metadata": {"name": "blue-green"},
            "spec": {"template": {"spec": deployment()["spec"]}},
        }
    ),
}
"""By the name of an example of the operator, resources with the same fields."""
