"""Certificate files: a zip of plain arrays and one JSON head; confidential, as the table is."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from ..certificate import Certificate
from ..errors import InputError
from ..witnesses import Witnesses
from .files import read_bytes, whole_file

FORMAT = "discreet-certificate"
VERSION = 1
ARRAYS = {"start": np.int64, "cell": np.int32, "move": np.int64, "denominator": np.int64}
HEAD = "certificate.json"
MOMENT = (2000, 1, 1, 0, 0, 0)
DAMAGES = (zipfile.BadZipFile, zlib.error, KeyError, ValueError, NotImplementedError, EOFError, RuntimeError)
"""What a zip that was cut or changed may raise."""


def write_certificate(path: str | Path, certificate: Certificate) -> None:
    """Writes a certificate, readable by its owner alone."""
    parts = {f"{name}.npy": _packed(getattr(certificate.witnesses, name)) for name in ARRAYS}
    head = {
        "format": FORMAT,
        "version": VERSION,
        "subject": certificate.subject,
        "insiders": certificate.insiders,
        "implicit": certificate.implicit,
    }
    head["seal"] = _seal(head, parts)
    with whole_file(path, confidential=True) as file, zipfile.ZipFile(file, "w") as bundle:
        for name, content in {HEAD: json.dumps(head, indent=1).encode(), **parts}.items():
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            bundle.writestr(entry, content)


def read_certificate(path: str | Path) -> Certificate:
    """Reads a certificate; a file that is damaged or was changed is refused."""
    try:
        with zipfile.ZipFile(io.BytesIO(read_bytes(path))) as bundle:
            head = json.loads(bundle.read(HEAD))
            parts = {f"{name}.npy": bundle.read(f"{name}.npy") for name in ARRAYS}
    except DAMAGES as error:
        raise InputError(
            f"{path}: expected a certificate file of discreet, got a damaged or other file."
        ) from error
    if not isinstance(head, dict) or head.get("format") != FORMAT or head.get("version") != VERSION:
        raise InputError(f"{path}: expected a certificate of version {VERSION}, got another kind of file.")
    seal = head.pop("seal", None)
    if set(head) != {"format", "version", "subject", "insiders", "implicit"} or seal != _seal(head, parts):
        raise InputError(
            f"{path}: the certificate was changed after it was written. Audit the release again."
        )
    arrays = {name: _unpacked(path, parts[f"{name}.npy"], kind) for name, kind in ARRAYS.items()}
    return Certificate(
        Witnesses(**arrays), bool(head["insiders"]), bool(head["implicit"]), str(head["subject"])
    )


def _packed(array: np.ndarray[Any, Any]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _unpacked(path: str | Path, content: bytes, kind: Any) -> np.ndarray[Any, Any]:
    try:
        array = np.load(io.BytesIO(content), allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise InputError(f"{path}: an array of the certificate cannot be read.") from error
    if array.ndim != 1 or array.dtype != kind:
        raise InputError(f"{path}: an array of the certificate has the wrong kind.")
    return np.asarray(array)


def _seal(head: dict[str, Any], parts: dict[str, bytes]) -> str:
    digest = sha256(json.dumps({k: head[k] for k in sorted(head) if k != "seal"}).encode())
    for name in sorted(parts):
        digest.update(sha256(parts[name]).digest())
    return digest.hexdigest()
