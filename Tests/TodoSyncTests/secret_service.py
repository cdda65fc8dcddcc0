#!/usr/bin/python3
"""A small Secret Service for tests: secret_service.py ADDRESS [--locked].

It has one collection, sessions without encryption, and no prompts. A locked service has an item that it does not give.
"""

import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

PREFIX = "org.freedesktop.Secret"
ROOT = "/org/freedesktop/secrets"
IS_LOCKED = "--locked" in sys.argv


class Locked(dbus.DBusException):
    _dbus_error_name = f"{PREFIX}.Error.IsLocked"


class Item(dbus.service.Object):
    def __init__(self, bus, number, attributes, secret, items):
        self.path = f"{ROOT}/collection/test/{number}"
        self.attributes, self.secret, self.items = attributes, secret, items
        super().__init__(bus, self.path)

    @dbus.service.method(f"{PREFIX}.Item", in_signature="o", out_signature="(oayays)")
    def GetSecret(self, session):
        return dbus.Struct((session, dbus.ByteArray(b""), dbus.ByteArray(bytes(self.secret)), "text/plain"))

    @dbus.service.method(f"{PREFIX}.Item", out_signature="o")
    def Delete(self):
        self.items.remove(self)
        self.remove_from_connection()
        return "/"


class Service(dbus.service.Object):
    def __init__(self, bus):
        self.bus, self.items, self.count = bus, [], 0
        super().__init__(bus, ROOT)

    @dbus.service.method(f"{PREFIX}.Service", in_signature="sv", out_signature="vo")
    def OpenSession(self, algorithm, _):
        assert algorithm == "plain"
        return "", f"{ROOT}/session/1"

    @dbus.service.method(f"{PREFIX}.Service", in_signature="s", out_signature="o")
    def ReadAlias(self, name):
        return f"{ROOT}/collection/test" if name == "default" else "/"

    @dbus.service.method(f"{PREFIX}.Service", in_signature="a{ss}", out_signature="aoao")
    def SearchItems(self, attributes):
        if IS_LOCKED:
            return dbus.Array([], "o"), dbus.Array([f"{ROOT}/collection/test/locked"], "o")
        return dbus.Array([item.path for item in self.items if item.attributes == attributes], "o"), dbus.Array([], "o")


class Collection(dbus.service.Object):
    def __init__(self, bus, service):
        self.bus, self.service = bus, service
        super().__init__(bus, f"{ROOT}/collection/test")

    @dbus.service.method(f"{PREFIX}.Collection", in_signature="a{sv}(oayays)b", out_signature="oo")
    def CreateItem(self, properties, secret, replaces):
        if IS_LOCKED:
            raise Locked("locked")
        attributes = properties[f"{PREFIX}.Item.Attributes"]
        for item in [item for item in self.service.items if item.attributes == attributes and replaces]:
            item.secret = secret[2]
            return item.path, "/"
        self.service.count += 1
        item = Item(self.bus, self.service.count, attributes, secret[2], self.service.items)
        self.service.items.append(item)
        return item.path, "/"


def main():
    DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(sys.argv[1])
    service = Service(bus)
    collection = Collection(bus, service)
    name = dbus.service.BusName("org.freedesktop.secrets", bus)
    print("ready", flush=True)
    GLib.MainLoop().run()
    del collection, name


main()
